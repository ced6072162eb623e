; core exclusive choice
(set-logic QF_UF)
(set-info :status unsat)
(declare-const rain Bool)
(declare-const snow Bool)
(assert (xor rain snow))
(assert (=> rain snow))
(assert (=> snow rain))
(check-sat)
