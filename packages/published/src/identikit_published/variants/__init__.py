"""Values of methods' options that are as documents print them; `identikit.variants` in pyproject.toml names them."""
