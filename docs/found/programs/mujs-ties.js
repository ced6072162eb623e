print((2.5).toFixed(0), (25).toPrecision(1), (25).toExponential(0));
