//! Makes a counter-example small: takes away whatever it does not need.

use serde_json::Value;

use crate::case::Case;

/// The smallest case reachable by single cuts that `fails` still holds for.
#[must_use]
pub fn shrink(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    loop {
        let size = size(&case);
        let mut smaller = cuts(&case).into_iter().filter(|cut| self::size(cut) < size);
        match smaller.find(&fails) {
            Some(cut) => case = cut,
            None => return case,
        }
    }
}

/// What every cut makes less; that the object stays as it is until the second look counts nothing.
fn size(case: &Case) -> usize {
    let length = |value: &Value| value.to_string().len();
    let later = case.later.as_ref().map_or(1, |later| 2 + length(later));
    let is_steady = case.later.as_ref() == Some(&case.object);
    length(&case.object)
        + case.pod.as_ref().map_or(0, |pod| 1 + length(pod))
        + if is_steady { 0 } else { later }
        + usize::from(case.stuck)
        + usize::from(case.run.is_some())
        + usize::from(case.caller_now != case.now)
}

/// Every case that is one step simpler.
fn cuts(case: &Case) -> Vec<Case> {
    let mut cuts = Vec::new();
    let mut add = |change: &dyn Fn(&mut Case)| {
        let mut cut = case.clone();
        change(&mut cut);
        if cut != *case {
            cuts.push(cut);
        }
    };
    add(&|case| case.pod = None);
    add(&|case| case.later = Some(case.object.clone()));
    add(&|case| case.stuck = false);
    add(&|case| case.run = None);
    add(&|case| case.caller_now = case.now);
    for object in smaller(&case.object) {
        add(&|case| {
            if case.later.as_ref() == Some(&case.object) {
                case.later = Some(object.clone());
            }
            case.object = object.clone();
        });
    }
    for pod in case.pod.as_ref().map(smaller).unwrap_or_default() {
        add(&|case| case.pod = Some(pod.clone()));
    }
    for later in case.later.as_ref().map(smaller).unwrap_or_default() {
        add(&|case| case.later = Some(later.clone()));
    }
    cuts
}

/// The value with one part of it taken away.
fn smaller(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) => vec![Value::Null],
        Value::String(text) => {
            let mut shorter = text.chars();
            let cut = shorter.next_back().map(|_| shorter.as_str().into());
            [Value::Null].into_iter().chain(cut).collect()
        }
        Value::Array(elements) => {
            let mut cuts = Vec::new();
            for (index, element) in elements.iter().enumerate() {
                let mut without = elements.clone();
                without.remove(index);
                cuts.push(without.into());
                for part in smaller(element) {
                    let mut with = elements.clone();
                    with[index] = part;
                    cuts.push(with.into());
                }
            }
            cuts
        }
        Value::Object(fields) => {
            let mut cuts = Vec::new();
            for (key, field) in fields {
                let mut without = fields.clone();
                without.remove(key);
                cuts.push(without.into());
                for part in smaller(field) {
                    let mut with = fields.clone();
                    with[key] = part;
                    cuts.push(with.into());
                }
            }
            cuts
        }
    }
}

#[cfg(test)]
mod tests {
    use reap_core::object::Kind;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_the_failure_needs_is_left() {
        let case = Case {
            kind: Kind::Pod,
            object: json!({ "a": [1, { "b": "xyz", "c": null }], "d": {} }),
            now: 1,
            caller_now: 2,
            pod: Some(json!({})),
            later: None,
            stuck: true,
            run: Some("r".to_owned()),
        };
        let fails = |case: &Case| {
            let text = case
                .object
                .pointer("/a/0/b")
                .or(case.object.pointer("/a/1/b"));
            case.caller_now == 2
                && text
                    .and_then(Value::as_str)
                    .is_some_and(|text| text.starts_with('x'))
        };
        let small = shrink(case, fails);
        assert_eq!(small.object, json!({ "a": [{ "b": "x" }] }));
        assert_eq!((small.caller_now, small.stuck), (2, false));
        assert_eq!((small.pod, small.run), (None, None));
    }
}
