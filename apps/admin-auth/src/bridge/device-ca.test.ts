import { newCaFiles, loadCaFrom } from './test-device-ca.js';

describe('the certificate authority of devices', () => {
  it('fails to load when its key does not match its certificate; the error names the variable', async () => {
    const [one, two] = [await newCaFiles(), await newCaFiles()];
    await expect(loadCaFrom({ ...one, keyPem: two.keyPem })).rejects.toThrow('DEVICE_CA_KEY_FILE');
  });

  it.each([
    ['is not of a certificate authority', async () => newCaFiles({ ca: false })],
    ['has expired', async () => newCaFiles({ notAfter: new Date(Date.now() - 86_400_000) })],
    ['is not a certificate', async () => ({ ...(await newCaFiles()), certificatePem: 'hunter2' })],
  ])("fails to load when its certificate %s; the error shows only the variable's name", async (_case, make) => {
    const failure = await loadCaFrom(await make()).catch((error: unknown) => String(error));
    expect(failure).toContain('DEVICE_CA_CERT_FILE');
    expect(failure).not.toContain('hunter2');
  });
});
