print(1 in [1, , 3]);
