; big numerals
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(declare-const v (_ BitVec 200))
(assert (> n 123456789012345678901234567890123456789012345678901234567890))
(assert (= v (_ bv1606938044258990275541962092341162602522202993782792835301375 200)))
(check-sat)
