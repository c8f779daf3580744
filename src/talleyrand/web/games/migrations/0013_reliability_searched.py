from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_delayed_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='savedsearch',
            name='reliability',
            field=models.CharField(blank=True, default='', max_length=4),
        ),
    ]
