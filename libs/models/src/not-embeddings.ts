/** Error for an answer of the upstream that is not a list of embeddings. */
export class NotEmbeddings extends Error {
  constructor(reason: string) {
    super(`The upstream's answer is not a list of embeddings: ${reason}.`);
    this.name = 'NotEmbeddings';
  }
}
