; Every signed byte survives the way through a 32-bit float. The solver says sat.
; Bad: z3 4.8.0 (post1) (solution-unsound). Good: 4.5.1 and from 4.8.5 on.
(set-logic QF_BVFP)
(set-info :status unsat)
(declare-fun b () (_ BitVec 8))
(declare-fun r () RoundingMode)
(assert (not (= ((_ fp.to_sbv 8) r ((_ to_fp 8 24) r b)) b)))
(check-sat)
