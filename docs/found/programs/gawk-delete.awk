BEGIN { delete a0[a0[1]]; print 1 }
