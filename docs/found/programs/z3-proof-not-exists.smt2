(declare-fun c () Real)
(assert (not (exists ((y Real)) (and (> y 0.0) (< y c)))))
(assert (> c 0.0))
(check-sat)
