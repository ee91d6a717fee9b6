"""What the energy paper prints: its tables 1 and 2, digit by digit."""

TABLE_1 = {"mu": 0.0510, "w0": 11.71, "a1": -137.3, "a2": 21.3, "a3": 162.9}  # estimated, from simulated records
EXPERIMENT_1 = {"mu": 0.0287, "w0": 11.74, "a1": -145.25, "a2": 25.74, "a3": 188.11}
TABLE_2 = {"m": 1.012, "c": 0.200, "k": 1.013, "k3": 0.995}  # estimated
