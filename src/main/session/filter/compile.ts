import type { Expression, Value } from './ast';
import { CALL_FIELDS } from './call-fields';
import type { Field } from './field';
import { HEADER_FIELDS, headerCondition } from './header-fields';
import { NAME_FIELDS } from './name-fields';
import { suggestion } from './nearest';
import { NUMBER_FIELDS } from './number-fields';
import { readNumber } from './numbers';
import { allOf, anyOf, not, type Predicate } from './predicate';
import { FilterProblem, shown } from './problem';
import { TEXT_FIELDS, textSearch } from './text-fields';

const FIELDS: readonly Field[] = [...NUMBER_FIELDS, ...NAME_FIELDS, ...CALL_FIELDS, ...TEXT_FIELDS, ...HEADER_FIELDS];
const BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [field.name, field]));
/** `header` is no field of the table: a name follows it. */
const HEADER = 'header';
const NAMES: readonly string[] = [...FIELDS.map(({ name }) => name), HEADER];

/** Gives an expression's names their meaning. @throws FilterProblem for a name, operator or value that has none. */
export function compile(expression: Expression): Predicate {
  switch (expression.kind) {
    case 'or':
      return anyOf(expression.operands.map(compile));
    case 'and':
      return allOf(expression.operands.map(compile));
    case 'not':
      return not(compile(expression.operand));
    case 'alone':
      return alone(expression.value);
    case 'header':
      return headerCondition(expression.name, expression.comparison);
    case 'compare': {
      const { field: name, comparison } = expression;
      const field = fieldNamed(name);
      if (field.compare !== undefined) return field.compare(comparison, name);
      throw new FilterProblem(`${field.name} stands alone: ${field.name} or !${field.name}`, comparison);
    }
    default:
      return expression satisfies never;
  }
}

/** A field that says something by itself; else the word or quoted text is searched for. */
function alone(value: Value): Predicate {
  if (value.quoted) return textSearch(value.text);
  const name = value.text.toLowerCase();
  if (name === HEADER) throw needsName(value);
  const field = BY_NAME.get(name);
  if (field === undefined) return textSearch(value.text);
  if (field.alone !== undefined) return field.alone;
  throw new FilterProblem(
    `${field.name} needs a comparison, such as ${field.example}; to search for the word, write it in quotes`,
    value,
  );
}

function fieldNamed(value: Value): Field {
  const name = value.text.toLowerCase();
  const field = value.quoted ? undefined : BY_NAME.get(name);
  if (field !== undefined) return field;
  if (name === HEADER && !value.quoted) throw needsName(value);
  if (value.quoted || readNumber(value.text, 'octets') !== undefined) {
    throw new FilterProblem(`Expected a field before the comparison, not ${shown(value)}: length > 1000, say`, value);
  }
  throw new FilterProblem(`No field is called ${shown(value)}${suggestion(value.text, NAMES, 'fields')}`, value);
}

function needsName(value: Value): FilterProblem {
  return new FilterProblem('header needs a name, such as header "user-agent" contains "go"; headers means all', value);
}
