"""The pendulum report's tables and figures."""
