"""Free decays: half cycles, envelopes, lifespans."""
