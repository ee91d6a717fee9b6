"""Golden answers: what every method and every front door answers today, frozen, and compared with what they answer now.

PYTHONPATH=benchmarks python -m golden                     # run everything and compare (make golden)
PYTHONPATH=benchmarks python -m golden --freeze --reason "..."  # freeze what is new (make golden-freeze)
"""
