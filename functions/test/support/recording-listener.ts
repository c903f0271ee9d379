import type { CallListener, ReportedUsage } from '../../src/models/model';

/** Writes down what an adapter tells, in order. */
export class RecordingListener implements CallListener {
  readonly texts: string[] = [];
  readonly usages: ReportedUsage[] = [];
  aliveCount = 0;

  text(delta: string): Promise<void> | undefined {
    this.texts.push(delta);
    return undefined;
  }

  usage(report: ReportedUsage): void {
    this.usages.push(report);
  }

  alive(): void {
    this.aliveCount += 1;
  }
}
