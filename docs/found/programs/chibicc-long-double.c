long double a=0;
