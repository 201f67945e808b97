(* The law of iterations in exact fractions, by the extracted rules. Reads cases from standard input and
   prints a line for each: its name, the law of N(1), the law of N(2).
     case NAME RULE K GAMMA V
     d PREFIX p .. p      a row of the draft after the prefix: tokens with commas, - for none
     t PREFIX p .. p      one of the target
     end
   After a prefix without a row the row of the longest prefix of it that has one counts. *)
let num (q : Q.t) : Obj.t = Obj.repr q
let q (x : Obj.t) : Q.t = Obj.obj x
let lift f = fun a b -> num (f (q a) (q b))
let div a b = if Q.equal b Q.zero then Q.zero else Q.div a b

let ops : Rules.ops =
  { zero = num Q.zero; one = num Q.one; add0 = lift Q.add; sub = lift Q.sub; mul = lift Q.mul;
    div = lift div; min = lift Q.min; max = lift Q.max }

let prefix_of text = if text = "-" then [] else List.map int_of_string (String.split_on_char ',' text)

let row_after rows context =
  let rec look shorter = match Hashtbl.find_opt rows shorter with
    | Some row -> row
    | None -> look (List.rev (List.tl (List.rev shorter))) in
  look context

let rule name k gamma tokens d t context =
  match name with
  | "token" -> Rules.token ops tokens d t gamma context
  | "block" -> Rules.block ops tokens d t gamma context
  | "target-only" -> Rules.positions ops tokens (Rules.target_only_node ops (=) tokens d t) t gamma k context
  | "rrs" -> Rules.positions ops tokens (Rules.rrs_node ops (=) tokens d t) t gamma k context
  | _ -> failwith ("no rule " ^ name)

(* Equal outcomes together, those of probability 0 left out. *)
let merged outcomes =
  let sums = Hashtbl.create 97 in
  List.iter (fun (p, o) ->
    if not (Q.equal (q p) Q.zero) then
      Hashtbl.replace sums o (Q.add (q p) (Option.value (Hashtbl.find_opt sums o) ~default:Q.zero))) outcomes;
  Hashtbl.fold (fun o p rest -> (p, Rules.output o) :: rest) sums []

let () =
  let draft = Hashtbl.create 97 and target = Hashtbl.create 97 in
  let current = ref [] in
  let add rows prefix entries =
    Hashtbl.replace rows (prefix_of prefix) (Array.of_list (List.map (fun e -> num (Q.of_string e)) entries)) in
  let answer name rule_name k gamma v =
    let model rows context x = (row_after rows context).(x) in
    let once = rule rule_name k gamma (List.init v Fun.id) (model draft) (model target) in
    let first = Array.make (gamma + 2) Q.zero and second = Array.make (2 * gamma + 3) Q.zero in
    let put law n p = law.(n) <- Q.add law.(n) p in
    List.iter (fun (p, o) ->
      put first (List.length o) p;
      List.iter (fun (r, o') -> put second (List.length o + List.length o') (Q.mul p r)) (merged (once o)))
      (merged (once []));
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
