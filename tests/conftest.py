"""Its folder is on the path of every test, so that `import reference` works from any of them."""
