; fp fma and remainder
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (= (fp.fma RNE x y x) (fp.add RNE (fp.mul RNE x y) x))))
(assert (fp.leq (fp.rem x y) (fp.abs y)))
(assert (fp.leq (fp.min x y) (fp.max x y)))
(check-sat)
