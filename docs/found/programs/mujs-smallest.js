print(String(5e-324 > 0));
