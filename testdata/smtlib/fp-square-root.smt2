; fp square root
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(assert (fp.isNegative (fp.sqrt RNE x)))
(assert (not (fp.isZero x)))
(check-sat)
