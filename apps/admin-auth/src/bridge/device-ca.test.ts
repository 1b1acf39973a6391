import { newCaFiles, loadCaFrom } from './test-device-ca.js';

describe('the authority of devices', () => {
  it('whose key is not its certificate’s is refused by name', async () => {
    const [one, two] = [await newCaFiles(), await newCaFiles()];
    await expect(loadCaFrom({ ...one, keyPem: two.keyPem })).rejects.toThrow('DEVICE_CA_KEY_FILE');
  });

  it.each([
    ['is no authority', async () => newCaFiles({ ca: false })],
    ['has expired', async () => newCaFiles({ notAfter: new Date(Date.now() - 86_400_000) })],
    ['is no certificate', async () => ({ ...(await newCaFiles()), certificatePem: 'hunter2' })],
  ])('that %s is refused by name, without its content', async (_case, make) => {
    const failure = await loadCaFrom(await make()).catch((error: unknown) => String(error));
    expect(failure).toContain('DEVICE_CA_CERT_FILE');
    expect(failure).not.toContain('hunter2');
  });
});
