; The model of an array whose rows are constant arrays: segmentation fault.
; Bad: cvc4 1.8 (crash at get-model). cvc5 1.0.3 and 1.4.2 (which wants
; --arrays-exp) say sat and then that they have no model. Good: z3 from 4.8.0 (post1) on.
(set-option :produce-models true)
(set-logic ALL)
(set-info :status sat)
(declare-fun t () (Array Int (Array Int Int)))
(declare-fun r () (Array Int Int))
(declare-fun i () Int)
(assert (= (store t i r) ((as const (Array Int (Array Int Int))) ((as const (Array Int Int)) 1))))
(check-sat)
(get-model)
