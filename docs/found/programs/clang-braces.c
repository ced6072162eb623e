int a = {{}, 0};
