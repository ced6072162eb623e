; lra dense
(set-logic LRA)
(set-info :status sat)
(assert (forall ((x Real) (y Real))
  (=> (< x y) (exists ((z Real)) (and (< x z) (< z y))))))
(check-sat)
