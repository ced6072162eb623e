_Thread_local int a, a;
