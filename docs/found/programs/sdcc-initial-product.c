int t = t * t;
