double a[] = "";
