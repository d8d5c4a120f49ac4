// URLs, encoded texts and connections as java.net describes them, over the simulated internet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Phone } from '../../../../../fixtures/dynamic/phone.ts';

const phone = new Phone();
const { call, make } = phone;

test('a URL is taken apart', () => {
  const url = make('java.net.URL', 'https://me@host.example:8443/a/b.html?q=1#top');
  assert.equal(url.call('getProtocol'), 'https');
  assert.equal(url.call('getHost'), 'host.example');
  assert.equal(url.call('getPort'), 8443);
  assert.equal(url.call('getDefaultPort'), 443);
  assert.equal(url.call('getPath'), '/a/b.html');
  assert.equal(url.call('getQuery'), 'q=1');
  assert.equal(url.call('getFile'), '/a/b.html?q=1');
  assert.equal(url.call('getRef'), 'top');
  assert.throws(() => make('java.net.URL', 'no-such:/x'), { message: /^java\.net\.MalformedURLException/ });
});

test('a URI resolves and refuses what is none', () => {
  const base = make('java.net.URI', 'http://a.example/b/c');
  assert.equal(String(base.get('resolve', '../d')), 'http://a.example/d');
  assert.throws(() => make('java.net.URI', 'a b'), { message: /^java\.net\.URISyntaxException/ });
});

test('texts are encoded for forms', () => {
  assert.equal(call('java.net.URLEncoder.encode', 'a b&ä*', 'UTF-8'), 'a+b%26%C3%A4*');
  assert.equal(call('java.net.URLDecoder.decode', 'a+b%26%C3%A4', 'UTF-8'), 'a b&ä');
});

test('a request is sent, answered, and told with what it carried', () => {
  const connection = make('java.net.URL', 'http://server.example/submit').get('openConnection');
  connection.call('setRequestMethod', 'POST');
  connection.call('setDoOutput', true);
  connection.call('setRequestProperty', 'X-Own', 'yes');
  const out = connection.get('getOutputStream');
  out.call('write([B)V', Buffer.from('a=1'));
  out.call('close');
  assert.equal(connection.call('getResponseCode'), 200);
  const [sent] = phone.recorder.notes.sendnet;
  assert.equal(sent?.host, 'server.example');
});

test('a name is looked up, and an address is written as it is', () => {
  const address = phone.get('java.net.InetAddress.getByName', '192.168.1.7');
  assert.equal(address.call('getHostAddress'), '192.168.1.7');
  assert.deepEqual(address.call('getAddress'), Buffer.from([192, 168, 1, 7]));
  assert.match(
    String(phone.get('java.net.InetAddress.getByName', 'host.example').call('getHostAddress')),
    /^\d+(\.\d+){3}$/,
  );
});
