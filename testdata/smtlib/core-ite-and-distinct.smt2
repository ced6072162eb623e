; core ite and distinct
(set-logic QF_UF)
(set-info :status sat)
(declare-fun a () Bool)
(declare-fun b () Bool)
(declare-fun c () Bool)
(assert (ite a (= b c) (distinct b c)))
(assert (or a (not b)))
(check-sat)
