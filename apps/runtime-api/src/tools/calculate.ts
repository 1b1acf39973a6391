/** Thrown for an expression that cannot be calculated. The message contains the reason. */
export class NotCalculable extends Error {
  override readonly name = 'NotCalculable';
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|([-+*/%^()])|(\S))/giy;
/** Limit of nested parentheses and signs. */
const MOST_DEPTH = 50;

interface Token {
  text: string;
  /** Position of the token in the expression, counted from 1. */
  place: number;
  isNumber: boolean;
}

/** Splits an expression into tokens. @throws NotCalculable for a character that is not part of a calculation */
function tokensOf(expression: string): Token[] {
  return [...expression.trimEnd().matchAll(TOKEN)].map(({ 0: whole, 1: number, 2: sign, 3: other, index }) => {
    const text = number ?? sign ?? other ?? '';
    const place = index + whole.length - text.length + 1;
    if (other !== undefined) throw new NotCalculable(`"${other}" at character ${place} is not part of a calculation.`);
    return { text, place, isNumber: number !== undefined };
  });
}

/**
 * Calculates the value of an arithmetic expression of numbers with `+ - * / % ^` and parentheses, rounded to 15 significant digits.
 *
 * @throws NotCalculable for an expression that is not valid or has no finite value
 */
export function calculate(expression: string): number {
  const tokens = tokensOf(expression);
  let at = 0;
  const peek = () => tokens[at]?.text;
  const unexpected = () => {
    const token = tokens[at];
    return new NotCalculable(
      token ? `"${token.text}" at character ${token.place} is not expected there.` : 'The expression is incomplete.',
    );
  };

  function operand(depth: number): number {
    if (depth > MOST_DEPTH) throw new NotCalculable(`The expression is nested deeper than ${MOST_DEPTH}.`);
    const token = tokens[at];
    if (token === undefined) throw unexpected();
    if (token.isNumber) {
      at += 1;
      return Number(token.text);
    }
    if (token.text !== '(') throw unexpected();
    at += 1;
    const value = sum(depth + 1);
    if (peek() !== ')') throw unexpected();
    at += 1;
    return value;
  }

  /**
   * Parses a power. A sign before a power applies to the whole power: `-2^2` is -4. Powers are calculated from right to left: `2^3^2` is
   * `2^(3^2)`.
   */
  function power(depth: number): number {
    if (depth > MOST_DEPTH) throw new NotCalculable(`The expression is nested deeper than ${MOST_DEPTH}.`);
    if (peek() === '-' || peek() === '+') {
      const factor = peek() === '-' ? -1 : 1;
      at += 1;
      return factor * power(depth + 1);
    }
    const base = operand(depth);
    if (peek() !== '^') return base;
    at += 1;
    return base ** power(depth + 1);
  }

  function product(depth: number): number {
    let value = power(depth);
    for (let sign = peek(); sign === '*' || sign === '/' || sign === '%'; sign = peek()) {
      at += 1;
      const right = power(depth);
      if (sign !== '*' && right === 0) throw new NotCalculable('The expression divides by zero.');
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right;
    }
    return value;
  }

  function sum(depth: number): number {
    let value = product(depth);
    for (let sign = peek(); sign === '+' || sign === '-'; sign = peek()) {
      at += 1;
      const right = product(depth);
      value = sign === '+' ? value + right : value - right;
    }
    return value;
  }

  const value = sum(0);
  if (at < tokens.length) throw unexpected();
  if (!Number.isFinite(value)) throw new NotCalculable('The result is not a finite number.');
  return Number(value.toPrecision(15));
}
