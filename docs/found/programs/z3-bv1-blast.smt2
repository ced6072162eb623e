(assert (= #b001 (bvshl #b000 #b000)))
(check-sat-using (then bv1-blast smt))
