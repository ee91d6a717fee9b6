"""The posterior of parameters and initial states: its density, coordinates to sample it in, the sampler, what it tells."""
