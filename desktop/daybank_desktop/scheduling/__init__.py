"""When Daybank does by itself what a person could ask for: the rules, the clock, the heartbeat.

:mod:`policy` decides and knows no clock; :mod:`scheduler` is the heartbeat that asks, on a thread
of its own; ``services/schedule.py`` joins both to the open folder, on the GUI thread.
"""
