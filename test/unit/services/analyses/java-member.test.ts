import assert from 'node:assert/strict';
import { test } from 'node:test';
import { javaMember } from '../../../../server/services/analyses/java-member.ts';

const source = `package a;

public class B {
    @Override
    public String toString() {
        if (true) {
            return "}";
        }
        return "b";
    }

    abstract void none();

    void last() {
    }
}
`;
const spans = ['toString()Ljava/lang/String;', 'none()V', 'last()V'].map((symbol) => {
  const start = source.indexOf(symbol.slice(0, symbol.indexOf('(') + 1));
  return { start, end: start + symbol.indexOf('('), symbol: `La/B;->${symbol}`, is_declaration: true as const };
});

test('a method is cut out with its annotations and everything that its braces hold', () => {
  assert.equal(
    javaMember({ source, spans }, 'La/B;->toString()Ljava/lang/String;'),
    '@Override\npublic String toString() {\n    if (true) {\n        return "}";\n    }\n    return "b";\n}',
  );
  assert.equal(javaMember({ source, spans }, 'La/B;->none()V'), 'abstract void none();');
  assert.equal(javaMember({ source, spans }, 'La/B;->last()V'), 'void last() {\n}');
});

test('of what is not declared there the class is shown, and of source that is cut what is left', () => {
  assert.equal(javaMember({ source, spans }, 'La/B;->lambda()V'), source);
  const cut = source.slice(0, source.indexOf('        return "b"'));
  assert.ok(javaMember({ source: cut, spans }, 'La/B;->toString()Ljava/lang/String;').startsWith('@Override'));
});
