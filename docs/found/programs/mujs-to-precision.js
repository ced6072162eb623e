print((0).toPrecision(3), (1e21).toPrecision(3), (0.00001).toPrecision(1));
