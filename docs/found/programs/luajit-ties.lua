print(string.format("%.4e %.0f %.4f", 100.125, 2.5, 1 / 32))
