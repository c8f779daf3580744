from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("watching", "0001_initial"),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ClockSweep',
            fields=[
                ('clock_name', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('noted_at', models.DateTimeField()),
                ('seconds', models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=16)),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('count', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ['-started_at', '-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('kind',), name='one_alarm_at_a_time')],
            },
        ),
    ]
