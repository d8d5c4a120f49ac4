// Names that are proposed for a family, by what is known of its members.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Known } from '../../../../server/contract/catalogue/known.ts';
import { proposedNames } from '../../../../server/services/families/proposed-names.ts';

const member = (id: number, fields: object = {}) => ({
  ...{ id, app: '', packageName: `com.example.app${id}`, family: '', known: [] as Known[] },
  ...fields,
});
const nothing = { signatures: [], rules: [], strings: [] };

test('what people said comes first, then lists, the antivirus, rules and what the apps call themselves', () => {
  const bad = { list: 'bazaar', kind: 'bad', by: 'file', name: 'Anubis' } as const;
  const apks = [
    member(1, { family: 'BankBot', app: 'Flash Player' }),
    member(2, { family: 'bankbot', known: [bad], app: 'Flash Player' }),
    member(3, { family: 'BankBot', app: 'Update' }),
  ];
  const signatures = [
    { apkId: 1, name: 'Andr.Banker.Anubis-6333913-0' },
    { apkId: 2, name: 'Andr.Trojan.Hqwar-9818931-0' },
    { apkId: 3, name: 'Trojan.AndroidOS.Agent' },
  ];
  const rules = [
    { name: 'overlay_banker', apks: 3 },
    { name: 'one_of_them', apks: 1 },
  ];
  assert.deepEqual(proposedNames({ apks, signatures, rules, strings: [] }), [
    { name: 'BankBot', source: 'verdict', reason: '3 of 3 members have it in their verdict' },
    { name: 'Anubis', source: 'list', reason: '1 of 3 members are called so by lists of known files' },
    { name: 'Hqwar', source: 'antivirus', reason: '1 of 3 members are called so by the antivirus' },
    { name: 'overlay_banker', source: 'rule', reason: '3 of 3 members match the rule' },
    { name: 'Flash Player', source: 'app', reason: '2 of 3 members have it as the name of the app' },
  ]);
});

test('a word that all have in their code comes last; sentences and words of every antivirus are none', () => {
  const strings = ['steal all contacts', 'Trojan', 'anubis_core'];
  assert.deepEqual(proposedNames({ ...nothing, apks: [member(1), member(2, { packageName: 'net.b' })], strings }), [
    { name: 'anubis_core', source: 'string', reason: '2 of 2 members have it in their code' },
  ]);
});

test('packages name a family by what all begin with, and nothing names one that has nothing in common', () => {
  const [first] = proposedNames({
    ...nothing,
    apks: [member(1, { packageName: 'a.b.c' }), member(2, { packageName: 'a.b.d' })],
  });
  assert.deepEqual([first?.name, first?.source], ['a.b', 'package']);
  assert.deepEqual(
    proposedNames({ ...nothing, apks: [member(1, { packageName: 'com.a' }), member(2, { packageName: 'com.b' })] }),
    [],
  );
  assert.deepEqual(proposedNames({ ...nothing, apks: [] }), []);
});
