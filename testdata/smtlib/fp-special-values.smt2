; fp special values
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float16)
(assert (or (fp.eq (_ NaN 5 11) x)
            (not (fp.eq (_ +zero 5 11) (_ -zero 5 11)))
            (= (_ +zero 5 11) (_ -zero 5 11))
            (fp.lt (_ +oo 5 11) x)))
(check-sat)
