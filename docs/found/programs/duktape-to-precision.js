print((0.000001).toPrecision(17));
