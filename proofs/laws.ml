(* The law of iterations in exact fractions, by the extracted rules. Reads cases from standard input and
   prints a line for each: its name, the law of N(1), the law of N(2).
     case NAME RULE K GAMMA V      RULE with its numbers after colons: lenient:1/2
     d PREFIX p .. p      a row of the draft after the prefix: tokens with commas, - for none
     t PREFIX p .. p      one of the target
     end
   After a prefix without a row the row of the longest prefix of it that has one counts. *)
let num (q : Q.t) : Obj.t = Obj.repr q
let q (x : Obj.t) : Q.t = Obj.obj x
let lift f = fun a b -> num (f (q a) (q b))
let div a b = if Q.equal b Q.zero then Q.zero else Q.div a b

let ops : Rules.ops =
  { zero = num Q.zero; one = num Q.one; add0 = lift Q.add; sub0 = lift Q.sub; mul = lift Q.mul;
    div = lift div; min = lift Q.min; max = lift Q.max }

let prefix_of text = if text = "-" then [] else List.map int_of_string (String.split_on_char ',' text)

let row_after rows context =
  let rec look shorter = match Hashtbl.find_opt rows shorter with
    | Some row -> row
    | None -> look (List.rev (List.tl (List.rev shorter))) in
  look context

(* 1/rho for k drafts, rho the least multiple of 2^-40 in [1, k] with 1 - (1 - beta)^k <= rho beta. *)
let least_rho k tokens d t context =
  let grid = Z.shift_left Z.one 40 in
  let enough numerator =
    let rho = Q.make numerator grid in
    let add sum x = Q.add sum (Q.min (q (d context x)) (Q.div (q (t context x)) rho)) in
    let beta = List.fold_left add Q.zero tokens in
    let rec miss j = if j = 0 then Q.one else Q.mul (Q.sub Q.one beta) (miss (j - 1)) in
    Q.leq (Q.sub Q.one (miss k)) (Q.mul rho beta) in
  let rec search low high = (* high is enough, low is not *)
    if Z.equal (Z.succ low) high then high
    else
      let middle = Z.div (Z.add low high) (Z.of_int 2) in
      if enough middle then search low middle else search middle high in
  let one = grid and most = Z.mul grid (Z.of_int (max k 1)) in
  num (Q.inv (Q.make (if enough one then one else search one most) grid))

let le a b = Q.leq (q a) (q b)

(* The outcomes of an iteration, each with the target that it leaves: the tokens accepted, and those added. *)
let rule spec k gamma tokens d t context =
  let name, numbers = match String.split_on_char ':' spec with
    | name :: numbers -> (name, Array.of_list (List.map (fun n -> num (Q.of_string n)) numbers))
    | [] -> (spec, [||]) in
  let added (accepted, y) = (accepted, [ y ]) in
  let carried outcomes = List.map (fun (p, (o, left)) -> (p, (added o, left))) outcomes in
  let keep outcomes = carried (List.map (fun (p, o) -> (p, (o, t))) outcomes) in
  let rejection b correction = keep (Rules.rejection ops tokens d b correction t gamma context) in
  let standard = Rules.residual ops tokens d t ops.one in
  let biased correction = let b = Rules.slack ops d t numbers.(0) in rejection b (correction b) in
  let relaxed law bonus =
    let last = if bonus then Rules.pi ops d t law else t in
    keep (Rules.relaxed ops tokens d t law last gamma context) in
  let positions node = keep (Rules.positions ops tokens node t gamma k context) in
  match name with
  | "token" -> keep (Rules.token ops tokens d t gamma context)
  | "block" -> keep (Rules.block ops tokens d t gamma context)
  | "lazy-block" -> keep (Rules.lazy_block ops tokens numbers.(0) d t gamma context)
  | "greedy-block" -> carried @@ Rules.greedy_block ops tokens d gamma t context
  | "batch" -> keep (Rules.batch ops tokens d t k gamma context)
  | "target-only" -> positions (Rules.target_only_node ops (=) tokens d t)
  | "rrs" -> positions (Rules.rrs_node ops (=) tokens d t)
  | "kseq" ->
    let w j context = least_rho j tokens d t context in
    positions (Rules.kseq_node ops (=) tokens d t w)
  | "naive-tree" -> positions (Rules.naive_tree_node ops (=) tokens d t)
  | "rrs-without" ->
    keep (Rules.positions ops tokens (Rules.rrs_without_node ops (=) tokens d t (fun i -> if i = 0 then k else 1)) t gamma 0 context)
  | "slot-block" -> keep (Rules.slot_block ops (=) tokens d t k gamma context)
  | "spectr-coupled" -> carried @@ Rules.spectr_coupled ops tokens d k gamma t context
  | "traversal" -> keep (Rules.traversal ops (=) tokens d t k gamma context)
  | "traversal-merged" -> keep (Rules.traversal_merged ops (=) tokens d t k gamma context)
  | "traversal-without" ->
    keep (Rules.traversal_without ops (=) tokens d t (fun i -> if i = 0 then k else 1) gamma context)
  | "spectr-gbv" -> (* one draft a path *)
    assert (gamma = 1);
    let node k context =
      let entered (p, (x, accepted)) = (p, (x, if accepted then Some k else None)) in
      List.map entered (Rules.spectr_gbv ops (=) tokens (d context) (t context) k) in
    positions node
  | "lenient" -> rejection (Rules.lenience ops d t numbers.(0)) standard
  | "biased" -> biased (Rules.corrected ops tokens d t)
  | "biased-target" -> biased (fun _ -> t)
  | "biased-draft" -> biased (fun _ -> d)
  | "biased-standard" -> biased (fun _ -> standard)
  | "rule" -> let b = Rules.part ops d t numbers.(0) in rejection b (Rules.corrected ops tokens d t b)
  | "ensemble" -> relaxed (Rules.ensemble ops numbers.(0)) false
  | "ensemble-bonus" -> relaxed (Rules.ensemble ops numbers.(0)) true
  | "fuzzy" -> relaxed (Rules.fuzzy ops tokens le numbers.(0)) false
  | "cascade-opt" -> relaxed (Rules.cascade_opt ops tokens le numbers.(0)) false
  | "cascade-top" -> relaxed (Rules.cascade_top ops tokens le numbers.(0)) false
  | "sprinter" ->
    let run (p, (passed, last)) = (p, ((passed, Option.to_list last), t)) in
    List.map run (Rules.sprint ops tokens d t (Rules.by_class ops d t le numbers.(0) numbers.(1)) gamma context)
  | _ -> failwith ("no rule " ^ name)

(* Equal outcomes together, those of probability 0 left out. What a target is depends on the outcome alone. *)
let merged outcomes =
  let sums = Hashtbl.create 97 in
  List.iter (fun (p, (o, left)) ->
    if not (Q.equal (q p) Q.zero) then
      let before = match Hashtbl.find_opt sums o with Some (sum, _) -> sum | None -> Q.zero in
      Hashtbl.replace sums o (Q.add (q p) before, left)) outcomes;
  Hashtbl.fold (fun (accepted, added) (p, left) rest -> (p, accepted @ added, left) :: rest) sums []

let () =
  let draft = Hashtbl.create 97 and target = Hashtbl.create 97 in
  let current = ref [] in
  let add rows prefix entries =
    Hashtbl.replace rows (prefix_of prefix) (Array.of_list (List.map (fun e -> num (Q.of_string e)) entries)) in
  let answer name rule_name k gamma v =
    let model rows context x = (row_after rows context).(x) in
    let once = rule rule_name k gamma (List.init v Fun.id) (model draft) in
    let first = Array.make (gamma + 2) Q.zero and second = Array.make (2 * gamma + 3) Q.zero in
    let put law n p = law.(n) <- Q.add law.(n) p in
    List.iter (fun (p, o, left) ->
      put first (List.length o) p;
      List.iter (fun (r, o', _) -> put second (List.length o + List.length o') (Q.mul p r)) (merged (once left o)))
      (merged (once (model target) []));
    let show law = String.concat " " (List.map Q.to_string (Array.to_list law)) in
    Printf.printf "%s : %s : %s\n" name (show first) (show second) in
  try
    while true do
      match String.split_on_char ' ' (input_line stdin) with
      | "case" :: parts -> current := parts; Hashtbl.reset draft; Hashtbl.reset target
      | "d" :: prefix :: entries -> add draft prefix entries
      | "t" :: prefix :: entries -> add target prefix entries
      | [ "end" ] -> (match !current with
          | [ name; r; k; gamma; v ] -> answer name r (int_of_string k) (int_of_string gamma) (int_of_string v)
          | _ -> failwith "a case has a name, a rule, K, gamma and V")
      | _ -> failwith "a line is a case, a row or an end"
    done
  with End_of_file -> ()
