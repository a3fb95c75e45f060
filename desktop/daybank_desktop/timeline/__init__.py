"""Where things stand on a timeline: days, scale and layout, without Qt, so that all of it can be
tried without a window."""
