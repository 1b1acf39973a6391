import { parseConfig } from '@millwright/config';
import { z } from 'zod';
import { parseAddress, type Address } from './addresses.js';
import { createAllowList } from './allow-list.js';
import { egressConfig, egressOptions } from './index.js';

const address = (text: string) => parseAddress(text) as Address;

describe('EGRESS_ALLOW', () => {
  const list = createAllowList([
    'tools.internal',
    'Crm.Internal.:8443',
    '10.1.0.0/16',
    '10.2.0.5:80',
    'fd00::/8',
    '[fe80::/10]:443',
    '::1',
  ]);

  it('allows a host on any port, or only on the given port', () => {
    expect(list.hasHost('tools.internal', 80)).toBe(true);
    expect(list.hasHost('crm.internal', 8443)).toBe(true);
    expect(list.hasHost('crm.internal', 443)).toBe(false);
    expect(list.hasHost('a.tools.internal', 80)).toBe(false);
  });

  it('allows networks and single addresses, with or without a port', () => {
    expect(list.hasAddress(address('10.1.255.255'), 1)).toBe(true);
    expect(list.hasAddress(address('10.2.0.5'), 80)).toBe(true);
    expect(list.hasAddress(address('10.2.0.5'), 81)).toBe(false);
    expect(list.hasAddress(address('10.2.0.6'), 80)).toBe(false);
    expect(list.hasAddress(address('fd12::1'), 1)).toBe(true);
    expect(list.hasAddress(address('fe80::1'), 443)).toBe(true);
    expect(list.hasAddress(address('fe80::1'), 80)).toBe(false);
    expect(list.hasAddress(address('::1'), 80)).toBe(true);
    expect(list.hasAddress(address('::ffff:10.1.0.1'), 80)).toBe(false);
  });

  it.each([
    '*',
    '*.internal',
    'http://tools.internal',
    'tools.internal:0',
    'tools.internal:65536',
    '10.0.0.0/33',
    '10.0.0',
    'a b',
    'x/8',
    '-a',
  ])('is reported as a configuration fault for %j, without its value', (entry) => {
    expect(() => parseConfig(z.object(egressConfig), { EGRESS_ALLOW: `ok.internal,${entry}` })).toThrow(
      /^The configuration is not valid:\n {2}EGRESS_ALLOW: must list host, host:port, CIDR or CIDR:port, separated by commas$/,
    );
  });

  it('is empty by default, and development mode is off', () => {
    expect(egressOptions(parseConfig(z.object(egressConfig), {}))).toEqual({
      allowLoopback: false,
      allowHttp: false,
      allow: [],
    });
  });
});
