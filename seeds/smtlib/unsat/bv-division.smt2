; Quotient and remainder make the dividend, for zero too.
(set-logic QF_BV)
(set-info :status unsat)
(declare-fun a () (_ BitVec 5))
(declare-fun b () (_ BitVec 5))
(assert (or
  (distinct a (bvadd (bvmul (bvudiv a b) b) (bvurem a b)))
  (distinct a (bvadd (bvmul (bvsdiv a b) b) (bvsrem a b)))
  (and (bvult b a) (bvugt (bvurem a b) b) (distinct b #b00000))))
(check-sat)
