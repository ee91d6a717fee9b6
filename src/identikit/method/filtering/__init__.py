"""What the Kalman smoother is made of: averaged records, process noise, smoothing, levels, innovations."""
