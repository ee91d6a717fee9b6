"""Physics-informed networks: windows, the trajectory that networks write in them, its training."""
