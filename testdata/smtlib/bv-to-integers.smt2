; bv to integers
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 8))
(assert (not (= ((_ int2bv 8) (bv2nat x)) x)))
(check-sat)
