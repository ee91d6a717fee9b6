"""Multiple shooting: segments, their tethers, the elimination of their nodes."""
