; A negative number is written as the empty string, so x must be "-1". The model
; has n = -1 and x = "".
; Bad: z3 4.8.9 to 4.8.12, and 4.8.8 where str.from_int is spelled int.to.str
; (invalid-model). Up to 4.8.7, so spelled: unknown. Good: from 4.8.13 on.
(set-option :produce-models true)
(set-logic QF_SLIA)
(set-info :status sat)
(declare-fun x () String)
(declare-fun n () Int)
(assert (= (str.++ (str.from_int n) x) "-1"))
(assert (< n 0))
(check-sat)
(get-model)
